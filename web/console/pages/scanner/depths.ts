/** Crawl depths as choices. */
export const DEPTHS = [
  { value: '0', label: 'Home page only' },
  { value: '1', label: '1 link deep' },
  { value: '2', label: '2 links deep' },
  { value: '3', label: '3 links deep' },
  { value: '5', label: '5 links deep (maximum)' },
];
