import type { FormObservation } from '../observation.ts';
import { attribute, type Element, elementsOf, type parseDocument, webUrl } from './document.ts';
import { personalField } from './personal-fields.ts';

type Form = Pick<FormObservation, 'action' | 'method' | 'personalFields'>;

const CONTROLS = new Set(['input', 'textarea', 'select', 'button']);

/** The forms of a document; a button that sends elsewhere (`formaction`) makes one of its own. */
export function formsOf(
  root: ReturnType<typeof parseDocument>,
  baseUrl: string,
  documentUrl: string,
): Form[] {
  const controls = new Map<Element, Element[]>();
  const byId = new Map<string, Element>();
  const outside: Element[] = [];
  for (const { element, form } of elementsOf(root)) {
    const owner = attribute(element, 'form');
    if (element.tagName === 'form') {
      controls.set(element, []);
      const id = attribute(element, 'id');
      if (id !== undefined && !byId.has(id)) byId.set(id, element);
    } else if (CONTROLS.has(element.tagName)) {
      if (owner !== undefined) outside.push(element);
      else if (form) controls.get(form)?.push(element);
    }
  }
  for (const control of outside) {
    const form = byId.get(attribute(control, 'form') ?? '');
    if (form) controls.get(form)?.push(control);
  }

  return [...controls].flatMap(([form, its]) => {
    const personalFields = [...new Set(its.map(fieldOf).filter((kind) => kind !== undefined))];
    const to = (action: string | undefined, method: string | undefined): Form => ({
      action: webUrl(action, baseUrl) ?? documentUrl,
      method: method?.trim().toUpperCase() === 'POST' ? 'POST' : 'GET',
      personalFields,
    });
    const method = attribute(form, 'method');
    const elsewhere = its.filter((each) => attribute(each, 'formaction') !== undefined);
    return [
      to(attribute(form, 'action'), method),
      ...elsewhere.map((each) =>
        to(attribute(each, 'formaction'), attribute(each, 'formmethod') ?? method),
      ),
    ];
  });
}

const fieldOf = (element: Element): string | undefined =>
  element.tagName === 'button'
    ? undefined
    : personalField({
        type: attribute(element, 'type'),
        name: attribute(element, 'name') ?? attribute(element, 'id'),
        autocomplete: attribute(element, 'autocomplete'),
      });
