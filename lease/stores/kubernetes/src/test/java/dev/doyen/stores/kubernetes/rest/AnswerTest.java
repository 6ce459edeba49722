package dev.doyen.stores.kubernetes.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.StoreRefusedException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which answers of the API server are a missing right. */
class AnswerTest {

    @Test
    void an_answer_that_names_the_verb_is_a_missing_right() {
        var refusal = refusal("leases.coordination.k8s.io \\\"orders\\\" is forbidden: User \\\"" + "x".repeat(400)
                + "\\\" cannot update resource \\\"leases\\\" in API group \\\"coordination.k8s.io\\\"");
        assertThat(refusal)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageStartingWith("the account may not \"update\" leases in namespace shop (403): ")
                .hasMessageEndingWith("; let its Role grant that verb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leases is forbidden: exceeded quota: few, requested: count/leases=1, used: 5, limited: 5",
                "leases is forbidden: unable to create new content in namespace shop because it is being terminated",
                "admission webhook \\\"policy\\\" denied the request: not on Sundays"
            })
    void a_403_for_another_reason_counts_as_temporary_and_has_the_text_of_the_server(String text) {
        assertThat(refusal(text))
                .isNotInstanceOf(StoreRefusedException.class)
                .hasMessage("the API server forbids \"update\" leases (403): " + text.replace("\\", ""));
    }

    private static RuntimeException refusal(String message) {
        var answer = new Answer(403, "{\"kind\": \"Status\", \"message\": \"" + message + "\"}", Optional.empty());
        return answer.refusal("update", "leases", "shop");
    }
}
