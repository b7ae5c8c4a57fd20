/** What holds orders, papers or secrets is for its own user only. The mode of what is there already stays. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
