import { hostEvent, readTrace, traceOf } from '../../../../test/builders/kineto-trace';

const values = ['', '', '', '0.', 'True', 'False', ''];
const args = { 'Input Dims': [[1]], 'Input type': ['float'], 'Concrete Inputs': values };

test('values of arguments are kept where the work of an op depends on them', async () => {
  const { timeline } = await readTrace(
    traceOf([
      hostEvent('aten::_scaled_dot_product_flash_attention', 0, 5, { args }),
      hostEvent('aten::add', 10, 5, { args }),
      hostEvent('aten::convolution', 20, 5),
    ]),
  );
  const { host, strings } = timeline;
  expect(Array.from(host.inputValuesId, (id) => strings.get(id))).toEqual([JSON.stringify(values), '', '']);
});
