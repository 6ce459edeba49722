import { LABELS, question, type Order } from "./orders.js";

/** Asks for confirmation of an admin command and for its fields. */
export class OrderDialog {
  private readonly dialog: HTMLDialogElement;
  private readonly form: HTMLFormElement;
  private order: Order | null = null;

  /** @param confirmed receives the confirmed command and its fields */
  constructor(dialog: HTMLDialogElement, confirmed: (order: Order, fields: Record<string, string>) => void) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form")!;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { order } = this;
      this.dialog.close();
      if (order === null) return;
      const fields: Record<string, string> = {};
      const to = this.input("to").value.trim();
      const reason = this.input("reason").value.trim();
      if (order.verb === "transfer") fields["to"] = to;
      if (reason !== "" && order.verb !== "resume") fields["reason"] = reason;
      confirmed(order, fields);
    });
    this.form.querySelector(".cancel")!.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => (this.order = null));
  }

  ask(order: Order): void {
    this.order = order;
    this.form.reset();
    this.text("h2", `${LABELS[order.verb]} · ${order.election.name}`);
    this.text(".question", question(order));
    this.text(".confirm", LABELS[order.verb]);
    const transfer = order.verb === "transfer";
    this.form.querySelector<HTMLElement>(".to")!.hidden = !transfer;
    this.input("to").required = transfer;
    this.form.querySelector<HTMLElement>(".reason")!.hidden = order.verb === "resume" || order.at === "process";
    this.form.querySelector("datalist")!.replaceChildren(
      ...order.others.map((id) => {
        const option = document.createElement("option");
        option.value = id;
        return option;
      }),
    );
    this.input("to").value = order.others.length === 1 ? order.others[0]! : "";
    this.dialog.showModal();
    if (transfer) this.input("to").focus();
    else this.form.querySelector<HTMLElement>(".cancel")!.focus();
  }

  private input(name: string): HTMLInputElement {
    return this.form.elements.namedItem(name) as HTMLInputElement;
  }

  private text(selector: string, text: string): void {
    this.form.querySelector(selector)!.textContent = text;
  }
}
