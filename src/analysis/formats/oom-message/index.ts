import { rankFromName } from '../step-series';
import { type TextLog } from '../text-log';
import { type OomMessage } from './oom-message-record';
import { OOM_MESSAGE, parseOomMessage } from './parse-message';

const MAX_MESSAGES = 1024;

/** Output of a job that died of (or survived) an out-of-memory error of the device. */
export const oomMessages: TextLog = {
  id: 'oom-message',
  sniffOrder: 77,
  nothingFound: 'holds no out-of-memory message that can be read.',
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    return !/^\s*[[{]\s*["{]/.test(text) && OOM_MESSAGE.test(text);
  },
  open({ path, problems }) {
    const messages = new Map<string, OomMessage>();
    let lost = 0;
    return {
      line(text) {
        const message = parseOomMessage(text);
        if (!message) return;
        message.rank ??= rankFromName(path);
        const key = `${message.rank} ${message.text}`;
        const known = messages.get(key);
        if (known) known.count++;
        else if (messages.size < MAX_MESSAGES) messages.set(key, message);
        else lost++;
      },
      finish() {
        problems.add('record-limit-reached', path, lost);
        return messages.size === 0
          ? null
          : { kind: 'oom-message', report: { messages: [...messages.values()] } };
      },
    };
  },
};
