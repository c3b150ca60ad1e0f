export { type FileScratch, fileScratch } from './file-scratch';
