package dev.doyen.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Publishes the {@link HealthReport} as a health indicator of Spring Boot 3, and calls other such indicators.
 *
 * <p>The starter is compiled with Spring Boot 4, where the health classes have another package. So this class calls the
 * classes of Spring Boot 3 by reflection.
 */
final class HealthOfBoot3 implements FactoryBean<Object> {

    static final String INDICATOR = "org.springframework.boot.actuate.health.HealthIndicator";
    private static final String HEALTH = "org.springframework.boot.actuate.health.Health";

    private final Class<?> indicator;
    private final Class<?> health;
    private final Supplier<HealthReport> report;

    HealthOfBoot3(Supplier<HealthReport> report) {
        this.indicator = classOf(INDICATOR);
        this.health = classOf(HEALTH);
        this.report = report;
    }

    @Override
    public Class<?> getObjectType() {
        return indicator;
    }

    @Override
    public Object getObject() {
        return Proxy.newProxyInstance(indicator.getClassLoader(), new Class<?>[] {indicator}, this::invoke);
    }

    /** Returns true if the bean is a health indicator of Spring Boot 3. */
    static boolean isIndicator(Object bean) {
        return ClassUtils.isPresent(INDICATOR, bean.getClass().getClassLoader())
                && ClassUtils.resolveClassName(INDICATOR, bean.getClass().getClassLoader())
                        .isInstance(bean);
    }

    /** Returns a check that is positive while the indicator's status is UP. */
    static BooleanSupplier check(Object indicator) {
        Method health = method(classOf(INDICATOR), "health");
        return () -> {
            Object now = ReflectionUtils.invokeMethod(health, indicator);
            return now != null && "UP".equals(String.valueOf(call(now, "getStatus")));
        };
    }

    @SuppressWarnings("ReferenceEquality") // This is the implementation of the proxy's equals().
    private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments == null ? new Object[0] : arguments);
        }
        return switch (method.getName()) {
            case "health" -> health(report.get());
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "the health of the elections";
        };
    }

    private Object health(HealthReport now) {
        Object builder = Objects.requireNonNull(
                ReflectionUtils.invokeMethod(method(health, now.isDown() ? "down" : "up"), null));
        Method withDetails = method(builder.getClass(), "withDetails", Map.class);
        ReflectionUtils.invokeMethod(withDetails, builder, now.details());
        return call(builder, "build");
    }

    private static Object call(Object target, String name) {
        return Objects.requireNonNull(ReflectionUtils.invokeMethod(method(target.getClass(), name), target));
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        return ClassUtils.getMethod(type, name, parameters);
    }

    private static Class<?> classOf(String name) {
        return ClassUtils.resolveClassName(name, HealthOfBoot3.class.getClassLoader());
    }

    /** Lets a native image call the classes of Spring Boot 3. */
    static final class Hints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            if (ClassUtils.isPresent(INDICATOR, loader)) {
                hints.proxies().registerJdkProxy(TypeReference.of(INDICATOR));
                for (String each : new String[] {INDICATOR, HEALTH, HEALTH + "$Builder"}) {
                    hints.reflection().registerType(TypeReference.of(each), MemberCategory.INVOKE_PUBLIC_METHODS);
                }
            }
        }
    }
}
