export { deleteCustomer, type NoteErasure } from './customers.ts';
export { deskRoutes } from './routes.ts';
