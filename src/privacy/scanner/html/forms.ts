import type { FormObservation } from '../observation.ts';
import {
  type Element,
  getAttribute,
  type parseDocument,
  toWebUrl,
  walkElements,
} from './document.ts';
import { classifyField } from './personal-fields.ts';

type Form = Pick<FormObservation, 'action' | 'method' | 'personalFields'>;

const CONTROLS = new Set(['input', 'textarea', 'select', 'button']);

/** Lists forms. A button with `formaction` counts as another form. */
export function findForms(
  root: ReturnType<typeof parseDocument>,
  baseUrl: string,
  documentUrl: string,
): Form[] {
  const controls = new Map<Element, Element[]>();
  const byId = new Map<string, Element>();
  const outside: Element[] = [];
  for (const { element, form } of walkElements(root)) {
    const owner = getAttribute(element, 'form');
    if (element.tagName === 'form') {
      controls.set(element, []);
      const id = getAttribute(element, 'id');
      if (id !== undefined && !byId.has(id)) byId.set(id, element);
    } else if (CONTROLS.has(element.tagName)) {
      if (owner !== undefined) outside.push(element);
      else if (form) controls.get(form)?.push(element);
    }
  }
  for (const control of outside) {
    const form = byId.get(getAttribute(control, 'form') ?? '');
    if (form) controls.get(form)?.push(control);
  }

  return [...controls].flatMap(([form, its]) => {
    const personalFields = [...new Set(its.map(getField).filter((kind) => kind !== undefined))];
    const to = (action: string | undefined, method: string | undefined): Form => ({
      action: toWebUrl(action, baseUrl) ?? documentUrl,
      method: method?.trim().toUpperCase() === 'POST' ? 'POST' : 'GET',
      personalFields,
    });
    const method = getAttribute(form, 'method');
    const elsewhere = its.filter((each) => getAttribute(each, 'formaction') !== undefined);
    return [
      to(getAttribute(form, 'action'), method),
      ...elsewhere.map((each) =>
        to(getAttribute(each, 'formaction'), getAttribute(each, 'formmethod') ?? method),
      ),
    ];
  });
}

const getField = (element: Element): string | undefined =>
  element.tagName === 'button'
    ? undefined
    : classifyField({
        type: getAttribute(element, 'type'),
        name: getAttribute(element, 'name') ?? getAttribute(element, 'id'),
        autocomplete: getAttribute(element, 'autocomplete'),
      });
