/** Whether a text is JSON, and not only the YAML that JSON is a part of. */
export function isJson(text: string): boolean {
  try {
    // Exports of Windows programs begin with a byte order mark, which JSON does not allow.
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
