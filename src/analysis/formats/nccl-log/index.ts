import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { readLines } from '../read-lines';
import { readMessage, readVersion } from './message-patterns';
import { NcclLogBuilder } from './nccl-log-builder';
import { splitMessages } from './split-messages';

/** A message with the prefix that the library always writes: `host:pid:tid [gpu] NCCL INFO`. */
const MESSAGE = /:\d+:\d+ \[\d+\] (?:[\w./-]+:\d+ )?NCCL (?:INFO|WARN|VERSION|TRACE) /;

/** What NCCL or RCCL writes with NCCL_DEBUG=INFO (or WARN), of one process or of many in one file. */
export const ncclLogFormat: ArtifactFormat = {
  id: 'nccl-log',
  sniffOrder: 92,
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    return !/^\s*[[{]\s*["{]/.test(text) && MESSAGE.test(text);
  },
  async read(chunks, context) {
    const log = new NcclLogBuilder();
    let messageCount = 0;
    for await (const line of readLines(chunks, context)) {
      const { messages, torn } = splitMessages(line);
      if (messages.length === 0) readVersion(line, log);
      let damaged = torn;
      // The name in a prefix within a line has the text of another message stuck to it.
      const writer = messages.at(0);
      if (writer && writer.pid > 0) log.hosts.add(writer.host, writer.pid);
      messageCount += messages.length;
      for (const message of messages) {
        damaged = !readMessage(message, log) || damaged;
      }
      if (damaged) context.problems.add('torn-line', context.path, 1, line);
    }
    if (messageCount === 0)
      throw new InputRefused(
        'unreadable',
        `${context.path} holds no message of NCCL. Record with NCCL_DEBUG=INFO.`,
      );
    context.problems.add('record-limit-reached', context.path, log.turnedAway());
    return { kind: 'nccl-log', log: log.build() };
  },
};
