import type { Consent } from './model.ts';
import { toVendorChoice } from './vendor-choice.ts';
import type { VendorChoice } from './wire.ts';

interface VendorSwitch {
  category: string;
  slug: string;
  input: HTMLInputElement;
}

/** The switches of vendors under their categories. A vendor with scripts in two categories has one in each. */
export class VendorSwitches {
  #all: VendorSwitch[] = [];
  #consent: Consent;
  #isAccepted: (category: string) => boolean;

  /** @param isAccepted whether the switch of a category is on */
  constructor(consent: Consent, isAccepted: (category: string) => boolean) {
    this.#consent = consent;
    this.#isAccepted = isAccepted;
  }

  add(category: string, slug: string, input: HTMLInputElement): HTMLInputElement {
    this.#all.push({ category, slug, input });
    // A visitor means the vendor, wherever it is listed.
    input.onchange = () => {
      for (const each of this.#all) if (each.slug === slug) each.input.checked = input.checked;
    };
    return input;
  }

  /** Shows the current consent. */
  update(): void {
    for (const { category, slug, input } of this.#all)
      input.checked = this.#consent.has(`${category}/${slug}`);
  }

  /** Resets the vendors of a category that the visitor has changed: each follows its category again. */
  follow(id: string): void {
    const slugs = this.#all.filter(({ category }) => category === id).map(({ slug }) => slug);
    for (const { category, slug, input } of this.#all)
      if (slugs.includes(slug)) input.checked = this.#isAccepted(category);
  }

  /** The vendors that differ from their category. Without switches, what was rejected stays rejected. */
  read(): VendorChoice {
    const { vendors_rejected = [] } = this.#consent.state.vendors ?? {};
    if (!this.#all[0]) return toVendorChoice([], vendors_rejected);
    const differing = this.#all.filter(
      ({ category, input }) => input.checked !== this.#isAccepted(category),
    );
    const list = (isOn: boolean) =>
      differing.filter(({ input }) => input.checked === isOn).map(({ slug }) => slug);
    return toVendorChoice(list(true), list(false));
  }
}
