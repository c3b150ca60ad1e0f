import { S3Error } from './s3-error';

/** One element of a request body. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

const MAX_DEPTH = 8;
const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]{1,4});|&/g, (_, entity: string | undefined) => {
    if (entity === undefined) throw new S3Error('MalformedXML');
    if (entity.startsWith('#')) {
      const code = entity[1] === 'x' ? parseInt(entity.slice(2), 16) : parseInt(entity.slice(1), 10);
      if (code > 0x10ffff) throw new S3Error('MalformedXML');
      return String.fromCodePoint(code);
    }
    const char = NAMED_ENTITIES[entity];
    if (char === undefined) throw new S3Error('MalformedXML');
    return char;
  });
}

/**
 * Reads the small XML documents that S3 requests carry. Elements and text only: attributes are ignored, DOCTYPE,
 * CDATA and deep nesting are refused, so that no entity can expand. Time is linear in the length.
 */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] };
  const open = [root];
  let at = 0;
  while (at < document.length) {
    const current = open[open.length - 1];
    const tagStart = document.indexOf('<', at);
    const textEnd = tagStart === -1 ? document.length : tagStart;
    current.text += unescapeXml(document.slice(at, textEnd));
    if (tagStart === -1) break;
    const tagEnd = document.indexOf('>', tagStart);
    if (tagEnd === -1) throw new S3Error('MalformedXML');
    const tag = document.slice(tagStart + 1, tagEnd);
    at = tagEnd + 1;
    if (tag.startsWith('?')) continue;
    if (tag.startsWith('!'))
      throw new S3Error('MalformedXML', 'DOCTYPE, CDATA and comments are not accepted.');
    if (tag.startsWith('/')) {
      if (open.length === 1 || tag.slice(1).trim() !== current.name) throw new S3Error('MalformedXML');
      open.pop();
      continue;
    }
    const name = /^[A-Za-z][\w.-]*/.exec(tag)?.[0];
    if (!name || open.length > MAX_DEPTH) throw new S3Error('MalformedXML');
    const child: XmlElement = { name, text: '', children: [] };
    current.children.push(child);
    if (!tag.endsWith('/')) open.push(child);
  }
  const [document_, ...others] = root.children;
  if (open.length !== 1 || !document_ || others.length > 0 || root.text.trim() !== '') {
    throw new S3Error('MalformedXML');
  }
  return document_;
}

/** Text of the first child called `name`, if there is one. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
