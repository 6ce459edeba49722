package dev.doyen.store;

/**
 * What somebody asks of the present leader, written into its record: to step down, for whom, and why. The leader obeys
 * when it next renews; whoever writes the record next leaves the order out.
 *
 * @param to who shall lead next; empty for whoever comes
 * @param by who asks
 * @param reason for people
 */
public record LeaseOrder(String to, String by, String reason) {
    public LeaseOrder {
        if (!to.isEmpty()) {
            ElectionNames.check("the candidate to hand over to", to);
        }
        ElectionNames.check("who asks", by);
        ElectionNames.checkRemark("reason", reason);
    }
}
