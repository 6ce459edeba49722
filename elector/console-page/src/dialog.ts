import { idsByName } from "./names.js";
import { LABELS, question, type AdminCommand } from "./commands.js";

/** A dialog in which the user confirms an admin command and enters its fields. */
export class CommandDialog {
  private readonly dialog: HTMLDialogElement;
  private readonly form: HTMLFormElement;
  private command: AdminCommand | null = null;
  /** The ids of the possible successors by the names that the dialog shows. */
  private ids = new Map<string, string>();

  /** @param confirmed the callback that receives the confirmed command and its fields */
  constructor(dialog: HTMLDialogElement, confirmed: (command: AdminCommand, fields: Record<string, string>) => void) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form")!;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { command } = this;
      this.dialog.close();
      if (command === null) return;
      const fields: Record<string, string> = {};
      const to = this.input("to").value.trim();
      const reason = this.input("reason").value.trim();
      if (command.verb === "transfer") fields["to"] = this.ids.get(to) ?? to;
      if (reason !== "" && command.verb !== "resume") fields["reason"] = reason;
      confirmed(command, fields);
    });
    this.form.querySelector(".cancel")!.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => (this.command = null));
  }

  ask(command: AdminCommand): void {
    this.command = command;
    this.form.reset();
    this.text("h2", `${LABELS[command.verb]} · ${command.election.name}`);
    this.text(".question", question(command));
    this.text(".confirm", LABELS[command.verb]);
    const transfer = command.verb === "transfer";
    this.form.querySelector<HTMLElement>(".to")!.hidden = !transfer;
    this.input("to").required = transfer;
    this.form.querySelector<HTMLElement>(".reason")!.hidden = command.verb === "resume" || command.at === "process";
    this.ids = idsByName(command.others);
    const names = [...this.ids.keys()];
    this.form.querySelector("datalist")!.replaceChildren(
      ...names.map((name) => {
        const option = document.createElement("option");
        option.value = name;
        return option;
      }),
    );
    this.input("to").value = names.length === 1 ? names[0]! : "";
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
