export function RequestScreen() {
  return null;
}
