const BODY_MAX_BYTES = 200_000;
const SIGNED_OUT =
  'You are not signed in, so the request is sent without credentials. Sign in to the console in this browser to send it as yourself.';
const NO_ANSWER =
  'The server does not answer. Check your connection, or whether the server is running.';

/** Shows the forms that send GET requests to this server, with the session of the console where there is one. */
export function startTryIt(root: URL): void {
  for (const part of document.querySelectorAll<HTMLDetailsElement>('details.try')) {
    const form = part.querySelector('form');
    if (!form) continue;
    part.hidden = false;
    part.addEventListener('toggle', () => {
      if (part.open) void describeSession(form, root);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, root);
    });
  }
}

interface Session {
  user: { login: string };
  nonce: string;
}

/** The session of the console in this browser. */
const readSession = (root: URL): Promise<Session | undefined> =>
  fetch(new URL('../console/session', root), { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.json() : undefined),
    () => undefined,
  );

async function describeSession(form: HTMLFormElement, root: URL): Promise<Session | undefined> {
  const note = form.querySelector('[data-signed-in]');
  if (!note) return undefined;
  const session = await readSession(root);
  note.textContent = session
    ? `You are signed in to the console as ${session.user.login}. The request is sent as this user.`
    : SIGNED_OUT;
  return session;
}

async function send(form: HTMLFormElement, root: URL): Promise<void> {
  const status = form.querySelector('[role=status]');
  const place = form.querySelector('.answer');
  const button = form.querySelector('button');
  if (!status || !place || !button) return;
  button.disabled = true;
  try {
    const session = await describeSession(form, root);
    const { url, headers } = readRequest(form, root);
    if (session) headers.set('x-wp-nonce', session.nonce);
    const started = performance.now();
    const answer = await fetch(url, { headers, cache: 'no-store' });
    const body = await readBody(answer);
    const ms = Math.round(performance.now() - started);
    status.textContent = `${answer.status} ${answer.statusText}`.trim();
    place.replaceChildren(
      pre('Request', `GET ${url.pathname}${url.search}`),
      pre(
        `Headers, after ${ms} ms`,
        [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
      ),
      pre('Body', body),
    );
  } catch {
    status.textContent = NO_ANSWER;
    place.replaceChildren();
  } finally {
    button.disabled = false;
  }
}

/** Empty fields are left out. */
function readRequest(form: HTMLFormElement, root: URL): { url: URL; headers: Headers } {
  let path = form.dataset.path ?? '';
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    const { name } = field;
    const value = field.value.trim();
    const place = field.dataset.in;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.append(name, value);
    else if (place === 'bearer') headers.set('authorization', `Bearer ${value}`);
    else if (place === 'header') headers.set(name, value);
  }
  const url = new URL(`..${path}`, root);
  url.search = query.toString();
  return { url, headers };
}

/** The beginning of a body as text; JSON is indented. */
async function readBody(answer: Response): Promise<string> {
  const type = answer.headers.get('content-type') ?? '';
  const { bytes, isWhole } = await readBytes(answer);
  if (bytes.length === 0) return 'The body is empty.';
  if (!/^text\/|json|xml|javascript/.test(type))
    return `${isWhole ? bytes.length : `More than ${bytes.length}`} bytes of ${type || 'an unknown type'}`;
  const text = new TextDecoder().decode(bytes);
  if (!isWhole) return `${text}\n\nThis is the beginning: the body is longer.`;
  if (!type.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Stops reading where it is enough, since exports can be long. */
async function readBytes(answer: Response): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const reader = answer.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length <= BODY_MAX_BYTES) continue;
    await reader.cancel();
    break;
  }
  const bytes = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
  return { bytes: bytes.subarray(0, BODY_MAX_BYTES), isWhole: length <= BODY_MAX_BYTES };
}

function pre(title: string, text: string): HTMLElement {
  const section = document.createElement('div');
  const heading = document.createElement('h3');
  heading.textContent = title;
  const element = document.createElement('pre');
  // It scrolls.
  element.tabIndex = 0;
  const code = document.createElement('code');
  code.textContent = text;
  element.append(code);
  section.append(heading, element);
  return section;
}
