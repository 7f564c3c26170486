const RANDOM =
  /^(?:(?=.{30,})\d{1,10}(?:-\d{1,10}){3}|[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i;

/** Whether an id is unguessable: a UUID version 4 (RFC 9562), or the banner's four random 32-bit numbers. */
export const isRandomId = (id: string): boolean => RANDOM.test(id);
