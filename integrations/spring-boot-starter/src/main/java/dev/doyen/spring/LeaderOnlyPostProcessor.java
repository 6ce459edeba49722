package dev.doyen.spring;

import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;

/**
 * Adds the advice of {@link LeaderOnly} to beans.
 *
 * <p>This advice runs before a bean's other advice, such as transactions, caches and retries. Spring runs the
 * post-processors of {@code @Scheduled} and {@code @Async} after this post-processor. So the advice of {@code @Async}
 * runs before this advice.
 */
final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private static final long serialVersionUID = 1;

    LeaderOnlyPostProcessor(Supplier<Function<String, TermGate>> gates, boolean proxyTargetClass) {
        var pointcut = new AnnotationMatchingPointcut(null, LeaderOnly.class, true);
        this.advisor = new DefaultPointcutAdvisor(pointcut, new LeaderOnlyInterceptor(gates));
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(proxyTargetClass);
        setOrder(Ordered.LOWEST_PRECEDENCE - 10);
    }
}
