import { type TextLog } from '../text-log';
import { readMessage, readVersion } from './message-patterns';
import { NcclLogBuilder } from './nccl-log-builder';
import { splitMessages } from './split-messages';

/** A message with the prefix that the library always writes: `host:pid:tid [gpu] NCCL INFO`. */
const MESSAGE = /:\d+:\d+ \[\d+\] (?:[\w./-]+:\d+ )?NCCL (?:INFO|WARN|VERSION|TRACE) /;

/** What NCCL or RCCL writes with NCCL_DEBUG=INFO (or WARN), of one process or of many in one file. */
export const ncclLogs: TextLog = {
  id: 'nccl-log',
  sniffOrder: 92,
  nothingFound: 'holds no message of NCCL. Record with NCCL_DEBUG=INFO.',
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    return !/^\s*[[{]\s*["{]/.test(text) && MESSAGE.test(text);
  },
  open({ path, problems }) {
    const log = new NcclLogBuilder();
    let messageCount = 0;
    const torn = { count: 0, example: '' };
    return {
      line(text) {
        const { messages, torn: isTorn } = splitMessages(text);
        if (messages.length === 0) readVersion(text, log);
        let damaged = isTorn;
        // The name in a prefix within a line has the text of another message stuck to it.
        const writer = messages.at(0);
        if (writer && writer.pid > 0) log.hosts.add(writer.host, writer.pid);
        messageCount += messages.length;
        for (const message of messages) damaged = !readMessage(message, log) || damaged;
        if (!damaged) return;
        torn.count++;
        torn.example ||= text;
      },
      finish() {
        if (messageCount === 0) return null;
        problems.add('torn-line', path, torn.count, torn.example);
        problems.add('record-limit-reached', path, log.turnedAway());
        return { kind: 'nccl-log', log: log.build() };
      },
    };
  },
};
