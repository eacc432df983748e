export interface SignupForm {
  username: string;
  password: string;
  confirm: string;
  phone: string;
}

function passwordError(form: SignupForm): string {
  const { password } = form;
  if (password.length < 8) return "密码至少 8 位";
  if (!/[A-Za-z]/.test(password) || !/[0-9]/.test(password)) return "密码须同时包含字母和数字";
  return "";
}

export function validate(form: SignupForm): string[] {
  const errors: string[] = [];
  if (!/^[A-Za-z_][A-Za-z0-9_]{2,15}$/.test(form.username)) errors.push("用户名须为 3 到 16 位字母、数字或下划线，且不以数字开头");
  const password = passwordError(form);
  if (password !== "") errors.push(password);
  if (form.confirm !== form.password) errors.push("两次输入的密码不一致");
  if (!/^1[0-9]{10}$/.test(form.phone)) errors.push("手机号须为 1 开头的 11 位数字");
  return errors;
}
