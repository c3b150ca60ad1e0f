import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { rankFromName } from '../step-series';
import { readLines } from '../read-lines';
import { type OomMessage } from './oom-message-record';
import { OOM_MESSAGE, parseOomMessage } from './parse-message';

const MAX_MESSAGES = 1024;

/** Output of a job that died of (or survived) an out-of-memory error of the device. */
export const oomMessageFormat: ArtifactFormat = {
  id: 'oom-message',
  sniffOrder: 77,
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    return !/^\s*[[{]\s*["{]/.test(text) && OOM_MESSAGE.test(text);
  },
  async read(chunks, context) {
    const messages = new Map<string, OomMessage>();
    let lost = 0;
    for await (const line of readLines(chunks, context)) {
      const message = parseOomMessage(line);
      if (!message) continue;
      message.rank ??= rankFromName(context.path);
      const key = `${message.rank} ${message.text}`;
      const known = messages.get(key);
      if (known) known.count++;
      else if (messages.size < MAX_MESSAGES) messages.set(key, message);
      else lost++;
    }
    if (messages.size === 0)
      throw new InputRefused(
        'unreadable',
        `${context.path} holds no out-of-memory message that can be read.`,
      );
    context.problems.add('record-limit-reached', context.path, lost);
    return { kind: 'oom-message', report: { messages: [...messages.values()] } };
  },
};
