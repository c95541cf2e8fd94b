# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
set(MOCK_TOOLS "@TOOLS@")
set(ASCEND_AUTOGEN_PATH "${CMAKE_BINARY_DIR}/autogen")
file(MAKE_DIRECTORY "${ASCEND_AUTOGEN_PATH}")

add_library(intf_pub INTERFACE)
target_compile_options(intf_pub INTERFACE -fPIC -fvisibility=hidden -std=c++11)
target_compile_definitions(intf_pub INTERFACE _GLIBCXX_USE_CXX11_ABI=0)
target_include_directories(intf_pub INTERFACE "${ASCEND_CANN_PACKAGE_PATH}/include"
    "${CMAKE_CURRENT_SOURCE_DIR}/op_kernel")
target_link_directories(intf_pub INTERFACE "${ASCEND_CANN_PACKAGE_PATH}/lib64")

# A failure of op_build is printed, no more: that is how the real one behaves.
function(opbuild)
    cmake_parse_arguments(P "" "OUT_DIR;PROJECT_NAME" "OPS_SRC" ${ARGN})
    if(P_PROJECT_NAME)
        message(STATUS "mock: a program called OPS_PROJECT_NAME=${P_PROJECT_NAME} does not exist")
        return()
    endif()
    set(library "${P_OUT_DIR}/libascend_all_ops.so")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -shared -fPIC -std=c++11 -D_GLIBCXX_USE_CXX11_ABI=0
        -I${ASCEND_CANN_PACKAGE_PATH}/include ${P_OPS_SRC} -o ${library} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${ASCEND_CANN_PACKAGE_PATH}/toolkit/tools/opbuild/op_build ${library} ${P_OUT_DIR}
        RESULT_VARIABLE failed ERROR_VARIABLE text)
    if(failed)
        message("opbuild ops error: ${text}")
    endif()
endfunction()

function(add_kernels_compile)
    set(made "${CMAKE_CURRENT_BINARY_DIR}/made")
    add_custom_target(binary COMMAND ${ASCEND_PYTHON_EXECUTABLE} "${MOCK_TOOLS}" kernels "${ASCEND_AUTOGEN_PATH}"
        "${CMAKE_CURRENT_SOURCE_DIR}" "${made}" "${vendor_name}" "${ASCEND_COMPUTE_UNIT}" VERBATIM)
    add_dependencies(binary cust_optiling)
    install(DIRECTORY "${made}/" DESTINATION "packages/vendors/${vendor_name}")
endfunction()
