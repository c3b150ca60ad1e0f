/** An XML element's content: text, or child elements in order. `undefined` children are left out. */
export type XmlContent = string | number | boolean | readonly (readonly [string, XmlContent] | undefined)[];

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Text for an XML document. Control characters become character references, as S3 itself writes them. */
export function escapeXml(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[&<>"'\u0000-\u001f\u007f\ufffe\uffff]/g, (char) => {
    switch (char) {
      case '&':
        return '&amp;';
      case '<':
        return '&lt;';
      case '>':
        return '&gt;';
      case '"':
        return '&quot;';
      case "'":
        return '&apos;';
      default:
        return `&#x${char.charCodeAt(0).toString(16)};`;
    }
  });
}

function element(name: string, content: XmlContent, attributes = ''): string {
  const inner =
    typeof content === 'object'
      ? content.map((child) => (child ? element(child[0], child[1]) : '')).join('')
      : escapeXml(String(content));
  return `<${name}${attributes}>${inner}</${name}>`;
}

/** A whole S3 answer; errors carry no namespace, everything else does. */
export function xmlDocument(name: string, content: XmlContent): string {
  const attributes = name === 'Error' ? '' : ` xmlns="${NAMESPACE}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content, attributes)}`;
}
