/** Every payload carries the id of its key, and the server's limit for a short text must hold with it. */
const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/** Whether a text can be the id of a key. What a payload names instead of one must not be repeated. */
export const isKeyId = (text: string): boolean => KEY_ID.test(text);
