/** A small, valid one-page PDF: enough for a viewer, a printer and a hash. */
export function simplePdf(lines: readonly string[]): Buffer {
  const text = lines
    .map((line, index) => `1 0 0 1 56 ${760 - index * 18} Tm (${escaped(line)}) Tj`)
    .join('\n');
  const content = `BT /F1 11 Tf\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(
    `${pdf}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}${trailer}`,
    'latin1',
  );
}

/** The built-in font knows no more than Latin letters. */
const escaped = (line: string): string =>
  line.replaceAll(/[^\u{20}-\u{7e}]/gu, '?').replaceAll(/[\\()]/gu, (character) => `\\${character}`);
