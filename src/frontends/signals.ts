import { readBuiltFile } from './asset.ts';

/**
 * The scripts that signal consent to other services (web/banner/signals), for the front of a banner file. An error in
 * one must not stop the banner, and a second tag of the banner must not deny again.
 * @param names of `consent.signals`
 */
export function readSignals(names: readonly string[]): string {
  const scripts = names.map((name) => {
    const script = readBuiltFile(`banner/signals/${name}.js`).toString().trim();
    return `try{${script}}catch(e){reportError(e)}`;
  });
  return scripts.length === 0 ? '' : `if(!window.pavis?.ready){${scripts.join('')}}\n`;
}
