export function DataMap() {
  return null;
}
