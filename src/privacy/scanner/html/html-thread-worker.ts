import { parentPort } from 'node:worker_threads';
import { READY, type Reading } from './html-thread.ts';
import { listLinks } from './links.ts';
import { observeHtml } from './observe-html.ts';

/** Parses documents for `HtmlThread`. */
parentPort?.on('message', (reading: Reading) => {
  const { html } = reading;
  parentPort?.postMessage(
    reading.read === 'links' ? listLinks(html, reading.pageUrl) : observeHtml(html, reading.page),
  );
});
parentPort?.postMessage(READY);
