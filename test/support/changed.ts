/** The same port with some methods replaced. */
export const withMethods = <Port extends object>(port: Port, methods: Partial<Port>): Port =>
  new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(Object.hasOwn(methods, name) ? methods : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
