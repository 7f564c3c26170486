export { deleteCustomer, type NoteErasure } from './customers.ts';
export { deskRoutes } from './routes.ts';
export { editAtDesk, licenceDetail } from './service.ts';
