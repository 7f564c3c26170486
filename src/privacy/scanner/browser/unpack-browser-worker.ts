import { parentPort, workerData } from 'node:worker_threads';
import { unpackBrowser } from './unpack-browser.ts';

parentPort?.postMessage(await unpackBrowser(workerData as string));
