export { holdObject } from './object-references.repository';
