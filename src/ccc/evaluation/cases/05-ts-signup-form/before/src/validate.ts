export interface SignupForm {
  username: string;
  password: string;
  confirm: string;
  phone: string;
}

export function validate(form: SignupForm): string[] {
  if (form.username === "") return ["请填写用户名"];
  if (form.password === "") return ["请填写密码"];
  return [];
}
