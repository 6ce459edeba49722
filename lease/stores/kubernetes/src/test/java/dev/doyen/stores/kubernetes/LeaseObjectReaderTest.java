package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.LeaseRecord;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import org.junit.jupiter.api.Test;

class LeaseObjectReaderTest {

    @Test
    void holders_whose_names_doyen_does_not_accept_have_different_replacements() {
        // A name with a control character is not valid. The two names have the same hash code.
        assertThat("Aa\n".hashCode()).isEqualTo("BB\n".hashCode());
        assertThat(holder("Aa\\n")).isNotEqualTo(holder("BB\\n")).isEqualTo(holder("Aa\\n"));
    }

    private static String holder(String identity) {
        JsonObject object = JsonObject.read("{\"metadata\": {\"name\": \"e\", \"resourceVersion\": \"7\"},"
                + " \"spec\": {\"holderIdentity\": \"" + identity + "\", \"leaseDurationSeconds\": 15}}");
        LeaseRecord record = LeaseObjectReader.lease("e", new LeaseObject(object), HolderPodStatus.PRESENT)
                .record()
                .orElseThrow();
        assertThat(record.isHeld()).isTrue();
        return record.holder();
    }
}
