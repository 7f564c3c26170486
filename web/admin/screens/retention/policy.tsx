export function NewPolicy() {
  return null;
}
export function PolicyScreen() {
  return null;
}
