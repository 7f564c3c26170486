export function Retention() {
  return null;
}
