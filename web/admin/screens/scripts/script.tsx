export function NewScript() {
  return null;
}
export function ScriptScreen() {
  return null;
}
