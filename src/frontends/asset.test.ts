import { expect, it } from 'vitest';
import { readBuiltFile } from './asset.ts';

it('says of a front-end that is not built what to do, and does not blame the database', () => {
  expect(() => readBuiltFile('none/index.html')).toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      code: 'service_unavailable',
      message:
        'This page is not built. Stop the server, run "npm run prestart" and start the server again.',
    }),
  );
});
