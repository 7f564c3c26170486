/** A check of a form: what is wrong with a typed email address; null if it looks like one. */
export const isEmailAddress = (value: string) =>
  /^\S+@\S+$/.test(value.trim()) ? null : 'Enter an email address, for example ada@example.com.';
