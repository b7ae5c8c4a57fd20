import { isMap, isScalar, isSeq, type Document } from 'yaml';
import { isJson } from './is-json';

/** JSON for a JSON document, with its indentation; YAML with its comments for any other. */
export function writeText(document: Document, before: string): string {
  if (!isJson(before)) return document.toString({ lineWidth: 0 });
  const indent = /^[{[]\r?\n([ \t]+)/.exec(before.trimStart())?.[1] ?? (before.includes('\n') ? '  ' : '');
  const text = jsonOf(document.contents, indent, indent === '' ? '' : '\n');
  return before.endsWith('\n') ? `${text}\n` : text;
}

/** @param lineBreak with the indentation of the node's line; empty for a single line */
function jsonOf(node: unknown, indent: string, lineBreak: string): string {
  const inner = lineBreak === '' ? '' : `${lineBreak}${indent}`;
  const listed = (parts: readonly string[], [open, close]: readonly [string, string]): string =>
    parts.length === 0
      ? `${open}${close}`
      : `${open}${parts.map((part) => `${inner}${part}`).join(',')}${lineBreak}${close}`;
  if (isMap(node)) {
    const colon = lineBreak === '' ? ':' : ': ';
    const entries = node.items.map(({ key, value }) => {
      const name = JSON.stringify(String(isScalar(key) ? key.value : key));
      return `${name}${colon}${jsonOf(value, indent, inner)}`;
    });
    return listed(entries, ['{', '}']);
  }
  if (isSeq(node)) {
    return listed(
      node.items.map((item) => jsonOf(item, indent, inner)),
      ['[', ']'],
    );
  }
  if (!isScalar(node)) return JSON.stringify(node ?? null);
  const { value, source } = node;
  return typeof value === 'number' && source !== undefined && isJson(source) && Number(source) === value
    ? source
    : (JSON.stringify(value) ?? 'null');
}
