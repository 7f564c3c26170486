export function Developer() {
  return null;
}
