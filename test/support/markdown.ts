/** As web pages of Git hosts make it of a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The text below each heading of the second level, by the anchor of the heading. */
export const sectionsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => section.split(/\n([^]*)/))
      .map(([heading = '', body = '']) => [anchorOf(heading), body]),
  );
