// Reads a JSON list of PromQL expressions from standard input; writes, for each, whether it is sound and the metrics that it
// names. A process of its own, because the parser is an ES module.
import { parser } from '@prometheus-io/lezer-promql';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const expressions = JSON.parse(Buffer.concat(chunks).toString());
process.stdout.write(JSON.stringify(expressions.map(read)));

function read(expression) {
  const metrics = [];
  let sound = expression.trim() !== '';
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) sound = false;
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') {
        metrics.push(expression.slice(from, to));
      }
    },
  });
  return { sound, metrics };
}
