import { execFileSync } from 'node:child_process';

export interface XmlElement {
  tag: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

const PARSE = `
import json, sys
import xml.etree.ElementTree as tree
def plain(e):
    return {"tag": e.tag, "attributes": e.attrib, "text": e.text or "", "children": [plain(c) for c in e]}
print(json.dumps(plain(tree.fromstring(sys.stdin.buffer.read()))))
`;

/** Reads XML with expat, which refuses everything that is not well-formed. Throws then. Needs python3. */
export function parseXml(text: string): XmlElement {
  return JSON.parse(execFileSync('python3', ['-c', PARSE], { input: text, encoding: 'utf8' })) as XmlElement;
}

/** All elements of this name, in their order. */
export function elementsOf(root: XmlElement, tag: string): XmlElement[] {
  return [...(root.tag === tag ? [root] : []), ...root.children.flatMap((child) => elementsOf(child, tag))];
}
