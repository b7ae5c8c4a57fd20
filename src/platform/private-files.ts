/** Files with orders, documents or secrets are for their user only. The mode of existing files stays as it is. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
