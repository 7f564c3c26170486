export function Scripts() {
  return null;
}
