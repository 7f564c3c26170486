import { startSearch } from './search.ts';
import { startTryIt } from './try-it.ts';

/** The address of the documentation, whatever path a proxy adds. */
const root = new URL('.', (document.currentScript as HTMLScriptElement).src);

startSearch(root);
startTryIt(root);
