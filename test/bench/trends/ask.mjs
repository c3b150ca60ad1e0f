// node ask.mjs ADDRESS TOKEN WARM_UP REPEATS: asks so often, one after the other over one connection, and prints how long each
// answer that counts took, in ms, and the bytes of one. A process of its own, so that nothing else of the benchmark is measured.
import { once } from 'node:events';
import { Agent, get } from 'node:http';

const [address, token, warmUp, repeats] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { Authorization: `Bearer ${token}` };

async function ask() {
  const startedMs = performance.now();
  const [response] = await once(get(address, { agent, headers }), 'response');
  let bytes = 0;
  response.on('data', (chunk) => (bytes += chunk.length));
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${address} answered ${response.statusCode}`);
  return { ms: performance.now() - startedMs, bytes };
}

for (let i = 0; i < Number(warmUp); i++) await ask();
const answers = [];
for (let i = 0; i < Number(repeats); i++) answers.push(await ask());
console.log(JSON.stringify({ bytes: answers[0].bytes, ms: answers.map(({ ms }) => ms) }));
process.exit();
