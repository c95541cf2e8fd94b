# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# op_host/CMakeLists.txt in a copy of CANN 8.1's project template. The template's own would give op_build every source,
# leave the inner aclnn out and know no subfolders. Targets and places are those that the rest of the template expects.
include("${CMAKE_SOURCE_DIR}/fa_sources.cmake")

# opbuild(PROJECT_NAME ..) of 8.1 puts the variable where a program name is expected, and nobody sees the failure.
set(ENV{OPS_PROJECT_NAME} aclnnInner)
opbuild(OPS_SRC ${FA_DEFINITIONS} OUT_DIR ${ASCEND_AUTOGEN_PATH})
unset(ENV{OPS_PROJECT_NAME})
fa_require_generated()

set(vendorFolder "packages/vendors/${vendor_name}")
set(machine "lib/linux/${CMAKE_SYSTEM_PROCESSOR}")
set(registry intf_pub exe_graph register tiling_api -Wl,--whole-archive rt2_registry -Wl,--no-whole-archive)

add_library(cust_op_proto SHARED ${FA_INFERENCE} "${ASCEND_AUTOGEN_PATH}/op_proto.cc")
target_compile_definitions(cust_op_proto PRIVATE OP_PROTO_LIB)
target_link_libraries(cust_op_proto PRIVATE ${registry})
set_target_properties(cust_op_proto PROPERTIES OUTPUT_NAME cust_opsproto_rt2.0)
fa_host_flags(cust_op_proto)

add_library(cust_optiling SHARED ${FA_TILING})
target_compile_definitions(cust_optiling PRIVATE OP_TILING_LIB)
target_link_libraries(cust_optiling PRIVATE nnopbase ${registry})
set_target_properties(cust_optiling PROPERTIES OUTPUT_NAME cust_opmaster_rt2.0)
fa_host_flags(cust_optiling)
add_custom_target(optiling_compat ALL COMMAND ${CMAKE_COMMAND} -E create_symlink
    "${machine}/$<TARGET_FILE_NAME:cust_optiling>" "${CMAKE_CURRENT_BINARY_DIR}/liboptiling.so")

file(GLOB generatedApi "${ASCEND_AUTOGEN_PATH}/aclnnInner_*.cpp")
add_library(cust_opapi SHARED ${generatedApi} ${FA_API})
target_include_directories(cust_opapi PRIVATE ${FA_API_INCLUDES} ${FA_CANN_INCLUDES})
target_link_libraries(cust_opapi PRIVATE intf_pub ascendcl nnopbase)
fa_host_flags(cust_opapi)

install(TARGETS cust_op_proto LIBRARY DESTINATION "${vendorFolder}/op_proto/${machine}")
install(FILES "${ASCEND_AUTOGEN_PATH}/op_proto.h" DESTINATION "${vendorFolder}/op_proto/inc")
install(TARGETS cust_optiling LIBRARY DESTINATION "${vendorFolder}/op_impl/ai_core/tbe/op_tiling/${machine}")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/liboptiling.so" DESTINATION "${vendorFolder}/op_impl/ai_core/tbe/op_tiling")
install(TARGETS cust_opapi LIBRARY DESTINATION "${vendorFolder}/op_api/lib")
install(FILES ${FA_API_HEADERS} DESTINATION "${vendorFolder}/op_api/include/aclnnop")
