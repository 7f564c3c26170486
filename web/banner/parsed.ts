/** Resolves with DOMContentLoaded. */
export const isParsed = new Promise<unknown>((done) => {
  const pages = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (pages[0]?.domContentLoadedEventStart) done(0);
  else document.addEventListener('DOMContentLoaded', done);
});
