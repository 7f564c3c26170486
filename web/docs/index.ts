import { startSearch } from './search.ts';

/** The address of the documentation, whatever path a proxy adds. */
const root = new URL('.', (document.currentScript as HTMLScriptElement).src);

startSearch(root);
